# SPDX-License-Identifier: BSD-3-Clause
"""Compares two runs. Ratios are compared where both records have one, since times of two runs on a shared machine are
not comparable; a row has changed when the two figures differ by more than their spreads together (half of each
interquartile range) and by more than 3 %."""
import dataclasses

from .records import chosen, is_rate, key, measured, seconds, size_text

MIN_CHANGE = 0.03
AMOUNTS = {"kib": 1, "fraction": -1, "right": -1}  # of records without times; -1: more is better


@dataclasses.dataclass
class Move:
    record: dict
    before: float
    after: float
    change: float  # of the time, or as of a time: 0.5 is twice as fast
    is_ratio: bool


def amount(record):
    """The name of the figure of a record that has no times."""
    return next((name for name in AMOUNTS if record.get(name)), None)


def more_is_better(record):
    return is_rate(record) or AMOUNTS.get(amount(record)) == -1


def figure(record, use_ratio):
    """The number and half of its spread."""
    if amount(record):
        return record[amount(record)], 0
    if use_ratio:
        return record["ratio"], record.get("ratio_spread", 0) / 2
    return record["median"], record.get("spread", 0) / 2


def comparable(record):
    return measured(record) and (record.get("median", 0) > 0 or amount(record) is not None)


def compare(first, second):
    """(changed rows, the largest change first; number of unchanged rows; rows only in first; rows only in second)."""
    before = {key(r): r for r in first if comparable(r)}
    after = {key(r): r for r in second if comparable(r)}
    moves, unchanged = [], 0
    for k in before.keys() & after.keys():
        a, b = before[k], after[k]
        use_ratio = "ratio" in a and "ratio" in b
        (x, dx), (y, dy) = figure(a, use_ratio), figure(b, use_ratio)
        if abs(x - y) <= max(dx + dy, MIN_CHANGE * x):
            unchanged += 1
            continue
        moves.append(Move(b, x, y, x / y if more_is_better(b) else y / x, use_ratio))
    moves.sort(key=lambda m: max(m.change, 1 / m.change), reverse=True)
    return moves, unchanged, [before[k] for k in before.keys() - after.keys()], [after[k] for k in after.keys() - before.keys()]


def label(record):
    part = f" ({record['part']})" if record.get("part") else f" ({record.get('conduit', '')} x {record.get('ranks', '')})"
    return f"{record['name']}{chosen(record)} {size_text(record.get('size', 0))}{part}"


def shown(value, is_ratio, record):
    if amount(record):
        return f"{value:.4g} {amount(record)}"
    if is_ratio:
        return f"{value:.2f} x"
    return f"{value:.4g} {record['unit']}" if is_rate(record) else seconds(value)


def as_text(first, second):
    moves, unchanged, gone, new = compare(first, second)
    out = []
    for m in moves:
        percent = 100 * (m.change - 1)
        word = ("worse", "better") if amount(m.record) else ("slower", "faster")
        out.append(f"{word[percent <= 0]:7} {percent:+7.1f} %  {label(m.record):44} {shown(m.before, m.is_ratio, m.record)} -> "
                   f"{shown(m.after, m.is_ratio, m.record)}")
    out.append(f"{len(moves)} rows moved, {unchanged} did not")
    for rows, where in ((gone, "first"), (new, "second")):
        if rows:
            names = sorted(label(r) for r in rows)
            out.append(f"only in the {where}: " + ", ".join(names))
    return "\n".join(out)
