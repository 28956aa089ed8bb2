// SPDX-License-Identifier: BSD-3-Clause
// The page is its own program: the files' JSON and a script that makes tables and pictures of it.
#include "tools/upcr_report/page.hpp"

namespace upcr_report {
namespace {

constexpr const char* kHead = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>upcr statistics</title><style>
:root { color-scheme: light dark; --line: #8884; --bar: #3b7dd8; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em auto; max-width: 75em; padding: 0 1em; }
h1 { font-size: 1.3em } h2 { font-size: 1.1em; margin-top: 2em }
.scroll { overflow-x: auto }
table { border-collapse: collapse } td, th { padding: .15em .7em; border-bottom: 1px solid var(--line);
  text-align: right; white-space: nowrap }
td:first-child, th:first-child, td.text, th.text { text-align: left } th { cursor: pointer }
td:first-child, th:first-child { position: sticky; left: 0; background: Canvas }
.bar { display: inline-block; height: .8em; background: var(--bar) }
svg text { font: 11px system-ui, sans-serif; fill: currentColor }
</style></head><body><h1 id="title"></h1><p id="about"></p><div id="page"></div>
)html";

constexpr const char* kScript = R"html(<script>
const runs = [...document.querySelectorAll('script[type="application/json"]')].map(
  s => Object.assign(JSON.parse(s.textContent), {name: s.dataset.name}));
const [first, second] = runs, page = document.getElementById('page');
function element(tag, text, parent) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.appendChild(e);
  return e;
}
function scaled(value, units) {
  let i = 0;
  while (i + 1 < units.length && value >= 999.5) { value /= 1000; ++i; }
  return (i === 0 ? Math.round(value) : value.toPrecision(3)) + units[i];
}
const time = ns => scaled(ns || 0, [' ns', ' us', ' ms', ' s']);
const bytes = n => scaled(n || 0, [' B', ' kB', ' MB', ' GB', ' TB']);
const count = n => scaled(n || 0, ['', ' k', ' M', ' G']);
// The end of a long path, the beginning of a list; the cell's title has all of it.
const shortened = text => text.length <= 44 ? text : text.includes(', ') ? text.slice(0, 43) + '\u2026' : '\u2026' + text.slice(-43);
// What is nothing is shown as nothing, and columns of nothing are left out. all: [heading, row => value, value => text]; a click on a heading sorts, a second one the other way.
function table(title, rows, all) {
  const columns = all.filter(([, value, text]) => !text || text === String || rows.some(value));
  if (rows.length === 0) return;
  element('h2', title, page);
  const box = element('div', undefined, page), t = element('table', undefined, box);
  box.className = 'scroll';
  const head = element('tr', undefined, element('thead', undefined, t)), body = element('tbody', undefined, t);
  let order = 1;
  function fill() {
    body.replaceChildren();
    for (const row of rows) {
      const tr = element('tr', undefined, body);
      for (const [, value, text] of columns) {
        const v = value(row), td = element('td', text ? (v || text === String ? text(v) : '') : shortened(v), tr);
        if (text) continue;
        td.className = 'text';
        td.title = v;
      }
    }
  }
  columns.forEach(([heading, value, text]) => {
    const th = element('th', heading, head);
    if (!text) th.className = 'text';
    th.onclick = () => {
      order = -order;
      rows.sort((a, b) => {
        const x = value(a), y = value(b);
        return order * (typeof x === 'string' ? x.localeCompare(y) : (y || 0) - (x || 0));
      });
      fill();
    };
  });
  fill();
}
const place = o => o.file ? (o.line ? o.file + ':' + o.line : o.file) : '(line not known)';
const key = o => o.kind + ' ' + place(o);
const byTime = (a, b) => (b.ns || 0) - (a.ns || 0);
const mainColumns = [['count', o => o.count, count], ['time', o => o.ns, time], ['waited', o => o.waited_ns, time]];
// 'timed': those whose time was measured, where it is not all of them.
const otherColumns = [
  ['bytes', o => o.bytes, bytes], ['held', o => o.held_ns, time], ['local', o => o.local, count],
  ['mapped', o => o.mapped, count], ['remote', o => o.remote, count], ['timed', o => o.timed, count]];
const ratio = v => v < .005 ? '< 0.01' : v.toFixed(2);
// What is compared stands together, where a narrow window shows it.
function compared(other) {
  if (!other) return [...mainColumns, ...otherColumns];
  const of = new Map(other.map(o => [key(o), o])), there = o => of.get(key(o)) || {};
  const [counts, times, waits] = mainColumns;
  return [counts, ['count, second', o => there(o).count, count], times, ['time, second', o => there(o).ns, time],
    ['time, ratio', o => there(o).ns && o.ns ? there(o).ns / o.ns : 0, ratio], waits,
    ['waited, second', o => there(o).waited_ns, time], ...otherColumns];
}
// Operations that only the second run has are shown too, with empty figures of the first.
function joined(list, other) {
  if (!other) return [...list];
  const known = new Set(list.map(key));
  return [...list, ...other.filter(o => !known.has(key(o))).map(o => ({kind: o.kind, file: o.file, line: o.line}))];
}
function svg(width, height) {
  const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  s.setAttribute('viewBox', `0 0 ${width} ${height}`);
  s.style.maxWidth = width + 'px';
  s.style.width = '100%';
  return s;
}
function shape(parent, tag, attributes, text) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  if (text !== undefined) e.textContent = text;
  parent.appendChild(e);
  return e;
}
// What a matrix may show of a pair: [name, pair => value, value => text].
function measures(run) {
  const kinds = new Set(run.threads.flatMap(t => t.pairs.flatMap(p => (p.kinds || []).map(k => k.kind))));
  const moved = p => (p.read_bytes || 0) + (p.written_bytes || 0) + (p.bytes || 0);
  const calls = p => (p.reads || 0) + (p.writes || 0) + (p.count || 0);
  const ofKind = (kind, value) => p => value((p.kinds || []).find(k => k.kind === kind) || {});
  return [['bytes of all accesses', moved, bytes], ['number of all accesses', calls, count], ['time of all accesses', p => p.ns || 0, time],
    ['time waited in all accesses', p => p.waited_ns || 0, time],
    ...[...kinds].sort().flatMap(kind => [[kind + ': bytes', ofKind(kind, moved), bytes], [kind + ': number', ofKind(kind, calls), count],
      [kind + ': time', ofKind(kind, p => p.ns || 0), time], [kind + ': time waited', ofKind(kind, p => p.waited_ns || 0), time]])];
}
function matrix(run) {
  const n = run.threads_of_job, per = Math.ceil(n / 64), size = Math.ceil(n / per);
  function sums(value) {
    const all = Array.from({length: size}, () => new Array(size).fill(0));
    for (const t of run.threads) for (const p of t.pairs)
      all[Math.floor(t.thread / per)][Math.floor(p.thread / per)] += value(p);
    return all;
  }
  const shown = measures(run).filter(([, value]) => Math.max(...sums(value).flat()) > 0);
  if (n < 2 || shown.length === 0) return;
  element('h2', 'Who accesses whose memory' + (runs.length > 1 ? ': ' + run.name : ''), page);
  const choice = element('select', undefined, page), about = element('p', undefined, page), picture = element('div', undefined, page);
  shown.forEach(([name], i) => { element('option', name, choice).value = i; });
  function draw() {
    const [, value, text] = shown[Number(choice.value) || 0], all = sums(value), most = Math.max(...all.flat());
    about.textContent = `Rows are the threads that access, columns those whose memory it is (of a message, the first thread of the process that it goes to); ` +
      `the strongest colour is ${text(most)}.` + (per > 1 ? ` ${per} threads share a row.` : '');
    const cell = Math.max(8, Math.min(28, 480 / size)), s = svg(size * cell + 40, size * cell + 20);
    all.forEach((row, y) => {
      if (y % Math.ceil(size / 16) === 0) {
        shape(s, 'text', {x: 34, y: 18 + (y + .7) * cell, 'text-anchor': 'end'}, y * per);
        shape(s, 'text', {x: 40 + (y + .5) * cell, y: 12, 'text-anchor': 'middle'}, y * per);
      }
      row.forEach((sum, x) => {
        const r = shape(s, 'rect', {x: 40 + x * cell, y: 18 + y * cell, width: cell - 1, height: cell - 1,
          fill: 'var(--bar)', 'fill-opacity': sum ? .12 + .88 * sum / most : .03});
        shape(r, 'title', {}, `thread ${y * per} to ${x * per}: ${text(sum)}`);
      });
    });
    picture.replaceChildren(s);
  }
  choice.onchange = draw;
  draw();
}
const mostPairs = 1000;
function pairs(run) {
  const all = run.threads.flatMap(t => t.pairs.map(p => ({...p, from: t.thread}))).sort(byTime);
  if (run.threads_of_job < 2) return;
  const kinds = p => [...(p.kinds || [])].sort(byTime).map(
    k => `${k.kind} ${count((k.reads || 0) + (k.writes || 0) + (k.count || 0))}`).join(', ');
  table((all.length > mostPairs ? `The ${mostPairs} costliest pairs` : 'Pairs') + ' of threads' + (runs.length > 1 ? ': ' + run.name : ''),
    all.slice(0, mostPairs),
    [['thread', p => p.from, String], ['memory of', p => p.thread, String], ['reads', p => p.reads, count],
     ['bytes read', p => p.read_bytes, bytes], ['writes', p => p.writes, count], ['bytes written', p => p.written_bytes, bytes],
     ['time', p => p.ns, time], ['waited', p => p.waited_ns, time], ['kinds', kinds]]);
}
function histograms(run) {
  const kinds = run.kinds.filter(k => k.sizes);
  if (kinds.length === 0) return;
  element('h2', 'Sizes' + (runs.length > 1 ? ': ' + run.name : ''), page);
  // As wide as the window, so that a narrow one does not make the text smaller.
  const width = Math.min(700, page.clientWidth || 700), longest = width - 190;
  for (const k of kinds) {
    const sizes = Object.entries(k.sizes).map(([from, n]) => [Number(from), n]).sort((a, b) => a[0] - b[0]);
    const most = Math.max(...sizes.map(s => s[1])), s = svg(width, sizes.length * 18 + 22);
    shape(s, 'text', {x: 0, y: 13, 'font-weight': 'bold'}, k.kind);
    sizes.forEach(([from, n], i) => {
      shape(s, 'text', {x: 110, y: 30 + i * 18, 'text-anchor': 'end'}, 'from ' + bytes(from));
      shape(s, 'rect', {x: 120, y: 20 + i * 18, height: 12, width: longest * n / most, fill: 'var(--bar)'});
      shape(s, 'text', {x: 126 + longest * n / most, y: 30 + i * 18}, count(n));
    });
    element('div', undefined, page).appendChild(s);
  }
}
function barriers(run) {
  const waits = new Map();
  for (const t of run.threads) for (const o of t.operations) if (o.kind === 'barrier') {
    const w = waits.get(place(o)) || {place: place(o), sum: 0, least: Infinity, most: -1};
    const ns = o.waited_ns || 0;
    w.sum += ns;
    if (ns < w.least) { w.least = ns; w.late = t.thread; }
    if (ns > w.most) { w.most = ns; w.early = t.thread; }
    waits.set(w.place, w);
  }
  table('Barriers: who waits least arrives last' + (runs.length > 1 ? ', ' + run.name : ''),
    [...waits.values()].sort((a, b) => b.sum - a.sum),
    [['barrier', w => w.place], ['waited by all', w => w.sum, time], ['last', w => w.late, String],
     ['waited', w => w.least, time], ['first', w => w.early, String], ['waited ', w => w.most, time]]);
}
document.getElementById('title').textContent = runs.map(r => `${r.program}, ${r.threads_of_job} ${r.threads_are || 'UPC threads'}, ${r.conduit}`).join(' and ');
document.getElementById('about').textContent = runs.map(r => r.name + ': ' +
  time(Math.max(...r.threads.map(t => t.ns))) + (r.complete ? '' : ', did not end in order')).join('; ');
table('Kinds', joined(first.kinds, second && second.kinds).sort(byTime),
  [['kind', o => o.kind], ...compared(second && second.kinds)]);
table('Lines', joined(first.lines, second && second.lines).sort(byTime),
  [['line', place], ['kind', o => o.kind], ...compared(second && second.lines)]);
for (const run of runs) {
  barriers(run);
  table('Threads' + (runs.length > 1 ? ': ' + run.name : ''), run.threads.map(t => ({...t,
    inside: t.operations.reduce((s, o) => s + (o.kind === 'user' || /_handler$/.test(o.kind) ? 0 : o.ns || 0), 0),
    waited: t.operations.reduce((s, o) => s + (o.waited_ns || 0), 0),
    moved: t.operations.reduce((s, o) => s + (o.bytes || 0), 0)})),
    [['thread', t => t.thread, String], ['process', t => t.process, String], ['host', t => t.host],
     ['time', t => t.ns, time], ['in operations', t => t.inside, time], ['waited', t => t.waited, time],
     ['bytes', t => t.moved, bytes]]);
  matrix(run);
  pairs(run);
  histograms(run);
}
</script></body></html>
)html";

// Inside of an attribute, and of a script element, which "</script" would end.
std::string attribute(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}
std::string script(const std::string& json) {
  std::string escaped;
  for (const char c : json) {
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace

std::string page(const std::vector<Run>& runs) {
  std::string text = kHead;
  for (const Run& run : runs)
    text += "<script type=\"application/json\" data-name=\"" + attribute(run.name) + "\">" +
            script(run.json) + "</script>\n";
  return text + kScript;
}

}  // namespace upcr_report
