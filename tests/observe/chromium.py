# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium that is driven by its debugging pipe (descriptors 3 and 4, JSON that ends with a NUL)."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Chromium:
    def __init__(self, *options):
        self.profile = tempfile.mkdtemp()
        with open(os.path.join(self.profile, "Local State"), "w", encoding="utf-8") as state:
            json.dump({"internal_only_uis_enabled": True}, state)  # chrome://tracing is one of these pages
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def descriptors():
            os.dup2(to_browser, 13)  # neither of the two is overwritten before it is copied
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        # pylint: disable-next=consider-using-with,subprocess-popen-preexec-fn  # close() ends it
        self.process = subprocess.Popen(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", *options, "about:blank"], preexec_fn=descriptors, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.receive()
            if answer.get("id") != self.number:
                continue  # an event
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            return answer["result"]

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.read_end, 1 << 16)
            if not more:
                raise RuntimeError("the browser has ended")
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def evaluate(self, script):
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(json.dumps(done["exceptionDetails"]))
        return done["result"].get("value")

    def open(self, address, ready="document.readyState === 'complete'", seconds=60):
        """Waits until `ready` holds in the page."""
        self.call("Page.navigate", url=address)
        ends = time.monotonic() + seconds
        while not self.evaluate(f"location.href !== 'about:blank' && !!({ready})"):
            if time.monotonic() > ends:
                raise RuntimeError(f"{address}: not ready after {seconds} s")
            time.sleep(0.1)

    def screenshot(self, file, width=1200, height=900, dark=False, scale=1, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
