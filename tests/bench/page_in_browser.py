# SPDX-License-Identifier: BSD-3-Clause
"""page_in_browser.py SOURCE: the page of a report in a browser: on a wide window and on a phone, light and dark; tables
sort."""
import pathlib
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / "bench"), str(SOURCE / "tests" / "observe")]
from chromium import Chromium  # noqa: E402
from table import page  # noqa: E402


def record(name, size, median):
    return {"name": name, "size": size, "conduit": "smp", "ranks": 2, "part": "smp2", "median": median, "spread": median / 10,
            "ratio": 1.0, "ratio_spread": 0.1, "reference": "memcpy", "reference_median": median}


class Figure:
    """Stands for a plot of matplotlib's."""

    @staticmethod
    def savefig(out, **_):
        out.write('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 75 50">'
                  '<text x="10" y="20" style="fill: #010203">axis</text></svg>')


class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with  # tearDownClass() ends it
        file = pathlib.Path(cls.folder.name, "page.html")
        found = [record("put", 8, 5e-8), record("put", 1 << 20, 1e-4), record("get", 4096, 2e-6)]
        file.write_text(page.page("t", found, [{"name": "smp2"}], ["about"], [("a", "b", Figure)] * 4,
                                  [{"processor": "P", "cores": 2, "load_before": 0.1}]))
        cls.address, cls.browser = f"file://{file}", Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def open(self, width, dark=False):
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
        self.browser.call("Emulation.setEmulatedMedia",
                          features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.browser.open(self.address)

    def rows_of_plots(self):
        return self.browser.evaluate(
            "new Set([...document.querySelectorAll('figure')].map(f => Math.round(f.getBoundingClientRect().top))).size")

    def test_two_plots_a_row(self):
        self.open(1300)
        self.assertEqual(self.rows_of_plots(), 2)
        self.open(390)
        self.assertEqual(self.rows_of_plots(), 4)

    def test_phone(self):
        """The page is as wide as the phone; tables scroll in it."""
        self.open(390)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 390)
        self.assertTrue(self.browser.evaluate("[...document.querySelectorAll('.scroll')].some(b => b.scrollWidth > b.clientWidth)"))

    def test_colours(self):
        def text_and_background():
            return self.browser.evaluate("[getComputedStyle(document.querySelector('svg text')).fill, "
                                         "getComputedStyle(document.querySelector('th')).backgroundColor]")
        self.open(1300)
        self.assertEqual(text_and_background(), ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])
        self.open(1300, dark=True)
        text, background = ([int(x) for x in colour[4:-1].split(",")] for colour in text_and_background())
        self.assertGreater(min(text), 200)
        self.assertLess(max(background), 60)

    def test_sorting(self):
        self.open(1300)
        sort = ("(n => {{ const t = [...document.querySelectorAll('table')].at(-1); t.tHead.rows[0].cells[n].click(); "
                "return [...t.tBodies[0].rows].map(r => r.cells[1].textContent + ' ' + r.cells[2].textContent); }})({})")
        by_size = ["put 8 B", "get 4 KiB", "put 1 MiB"]
        self.assertEqual(self.browser.evaluate(sort.format(2)), by_size)
        self.assertEqual(self.browser.evaluate(sort.format(2)), by_size[::-1])
        self.assertEqual(self.browser.evaluate(sort.format(1))[0], "get 4 KiB")

    def test_parts_that_did_not_run_are_hidden(self):
        self.open(1300)
        self.assertFalse(self.browser.evaluate("document.querySelector('details').open"))
        self.assertIn("not part of this run", self.browser.evaluate("document.querySelector('details').textContent"))
        self.assertNotIn("not part of this run", self.browser.evaluate("document.body.innerText"))


if __name__ == "__main__":
    unittest.main()
