# SPDX-License-Identifier: BSD-3-Clause
"""upcr_report: the page of one job and of two, and what it refuses. Where a browser is, what the script makes of it."""
import html.parser
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from chromium import BROWSER, Chromium
from support import REPORT, UPCRUN, compile_upc, run, source

NODE = shutil.which("node")


class Page(html.parser.HTMLParser):
    """The JSON of a page, and the addresses that it would load."""

    def __init__(self, text):
        super().__init__()
        self.runs, self.addresses, self.in_json = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.in_json = tag == "script" and attributes.get("type") == "application/json"
        self.addresses += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        if self.in_json:
            self.runs.append(json.loads(data))
            self.in_json = False


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        known = compile_upc(cls.folder, "known.upc", "--stats")
        cls.files = [os.path.join(cls.folder, name) for name in ("first.json", "second.json")]
        for threads, file in zip((2, 3), cls.files):
            run([UPCRUN, "-n", str(threads), f"--stats={file}", known])

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def page(self, *files):
        file = os.path.join(self.folder, "page.html")
        run([REPORT, "-o", file, *files])
        with open(file, encoding="utf-8") as text:
            return file, Page(text.read())

    def test_content(self):
        for files in (self.files[:1], self.files):
            with self.subTest(len(files)):
                _, page = self.page(*files)
                self.assertEqual(page.addresses, [])
                self.assertEqual(len(page.runs), len(files))
                for run_of_page, file in zip(page.runs, files):
                    with open(file, encoding="utf-8") as text:
                        self.assertEqual(run_of_page, json.load(text))

    def test_script_in_a_name(self):
        """Text that would end the element, as a region of the program may have it in its name."""
        with open(self.files[0], encoding="utf-8") as text:
            changed = text.read().replace('"program":"known"', '"program":"</script><b>"')
        file = os.path.join(self.folder, "changed.json")
        with open(file, "w", encoding="utf-8") as text:
            text.write(changed)
        _, page = self.page(file)
        self.assertEqual(page.runs[0]["program"], "</script><b>")

    def test_refusals(self):
        other = os.path.join(self.folder, "other")
        with open(other, "w", encoding="utf-8") as text:
            text.write("{}")
        for files, message in [((other,), "neither a file of upcrun --stats=FILE nor a part of a trace"),
                               ((other + "1",), "No such file"), ((*self.files, self.files[0]), "3 files are given")]:
            done = subprocess.run([REPORT, *files], capture_output=True, text=True, check=False, cwd=self.folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)

    def test_wrong_use(self):
        for words, message in [((), "FILE is required"), (("--nonsense", "file"), "--nonsense")]:
            done = subprocess.run([REPORT, *words], capture_output=True, text=True, check=False, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, f"^upcr_report: .*{message}.*; upcr_report --help lists the options\n$")

    def test_help_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([REPORT, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 74)
        self.assertIn("upcr_report: cannot write standard output", done.stderr)

    def test_pipe(self):
        """Which can be read once."""
        file = os.path.join(self.folder, "piped.html")
        with open(self.files[0], encoding="utf-8") as text:
            whole = text.read()
        subprocess.run([REPORT, "-o", file, "/dev/stdin"], input=whole, capture_output=True, text=True, check=True)
        with open(file, encoding="utf-8") as text:
            self.assertEqual(Page(text.read()).runs, [json.loads(whole)])

    def test_file_that_is_missing(self):
        """Nothing is written then."""
        out = os.path.join(self.folder, "kept.html")
        with open(out, "w", encoding="utf-8") as text:
            text.write("as it was")
        done = subprocess.run([REPORT, "-o", out, self.files[0], out + "1"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, f"upcr_report: {out}1: No such file or directory\n"))
        with open(out, encoding="utf-8") as text:
            self.assertEqual(text.read(), "as it was")

    def test_folder_that_is_not_there(self):
        """One warning for each host, and one that there is no file."""
        program = compile_upc(self.folder, "known.upc", "--stats")
        done = run([UPCRUN, "-n", "3", "--timeout", "100", f"--stats={self.folder}/none/stats.json", program])
        self.assertEqual(done.stderr.count("UPC Runtime warning: "), 2, done.stderr)
        self.assertIn("cannot make ", done.stderr)
        self.assertIn("cannot write the file: No such file or directory; the summary is printed only", done.stderr)

    def test_damaged(self):
        with open(self.files[0], encoding="utf-8") as text:
            whole = text.read()
        cut = os.path.join(self.folder, "cut.json")
        for text in whole[:2000], '{"format":"upcr-stats 1"}':
            with open(cut, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([REPORT, cut], capture_output=True, text=True, check=False, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (1, f"upcr_report: {cut}: is cut short\n"))

    def check_rendered(self, text):
        for part in ("Kinds", "Lines", "Who accesses whose memory: ", "Sizes: ", "Barriers: ", "time, ratio", "memput",
                     "Pairs of threads: ", "nb_put: number", "atomic: bytes", "time of all accesses",
                     "known.upc:"):
            self.assertIn(part, text)

    @unittest.skipIf(BROWSER is None, "there is no chromium here")
    def test_in_a_browser(self):
        file, _ = self.page(*self.files)
        self.check_rendered(run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                                 "file://" + file]).stdout)

    @unittest.skipIf(BROWSER is None, "there is no chromium here")
    def test_on_a_phone(self):
        """The page is as wide as the window, tables scroll in it and keep their first column, the pictures' text is legible."""
        file, _ = self.page(*self.files)
        with Chromium() as browser:
            browser.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
            browser.open("file://" + file)
            self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), 390)
            box = "[...document.querySelectorAll('.scroll')].find(b => b.scrollWidth > b.clientWidth)"
            left = box + ".querySelector('tbody td').getBoundingClientRect().left"
            before = browser.evaluate(left)
            self.assertGreater(browser.evaluate(f"{box}.scrollLeft = 50, {box}.scrollLeft"), 0)
            self.assertAlmostEqual(browser.evaluate(left), before, delta=1)
            heights = browser.evaluate("[...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height)")
            self.assertGreater(min(heights), 9)

    @unittest.skipIf(NODE is None, "there is no node here")
    def test_script(self):
        """What the script makes, without a browser."""
        file, _ = self.page(*self.files)
        text = run([NODE, source("page_dom.js"), file]).stdout
        self.check_rendered(text)
        # 100 puts of two threads, and of three.
        rows = text.split("h2: Lines")[1].split("h2: ")[0].split("td: ")
        put = next(i for i, cell in enumerate(rows) if cell.strip() == "put")
        headings = [cell.split("\n")[0] for cell in text.split("h2: Lines")[1].split("td: ")[0].split("th: ")[1:]]
        found = {heading: rows[put + i - headings.index("kind")].strip() for i, heading in enumerate(headings)}
        self.assertEqual((found["count"], found["count, second"]), ("200", "300"))
        self.assertNotIn("remote", headings)  # nothing is
        single, _ = self.page(self.files[0])
        self.assertNotIn("time, ratio", run([NODE, source("page_dom.js"), single]).stdout)


if __name__ == "__main__":
    unittest.main()
