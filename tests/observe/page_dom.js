// SPDX-License-Identifier: BSD-3-Clause
// page_dom.js PAGE: runs the script of a page of upcr_report with as much of a document as it uses, and prints the
// text of what it makes: a line for each element that has text.
const fs = require('fs');
const html = fs.readFileSync(process.argv[2], 'utf8');
class Element {
  constructor(tag) { this.tag = tag; this.children = []; this.style = {}; this.attributes = {}; this.dataset = {}; }
  appendChild(child) { this.children.push(child); return child; }
  replaceChildren(...children) { this.children = children; }
  setAttribute(name, value) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${this.tag}: ${name} is ${value}`);
    this.attributes[name] = value;
  }
  lines() { return [...(this.textContent !== undefined ? [`${this.tag}: ${this.textContent}`] : []),
                    ...this.children.flatMap(c => c.lines())]; }
  all(tag) { return [...(this.tag === tag ? [this] : []), ...this.children.flatMap(c => c.all(tag))]; }
}
const data = [...html.matchAll(/<script type="application\/json" data-name="([^"]*)">([\s\S]*?)<\/script>/g)].map(m => {
  const element = new Element('script');
  element.textContent = m[2];
  element.dataset.name = m[1];
  return element;
});
const byId = {title: new Element('h1'), about: new Element('p'), page: new Element('div')};
const document = {
  querySelectorAll: () => data,
  getElementById: id => byId[id],
  createElement: tag => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
};
const script = html.match(/<script>\n([\s\S]*)<\/script>/)[1];
new Function('document', script)(document);
for (const heading of byId.page.all('th')) heading.onclick();  // each table is sorted by each column
// Each picture is drawn of each of its choices, the first one last.
for (const choice of byId.page.all('select'))
  for (const option of choice.all('option').reverse()) {
    choice.value = option.value;
    choice.onchange();
  }
console.log(Object.values(byId).flatMap(e => e.lines()).join('\n'));
