"""A living page read back: its elements, what the script reads, and the script run in a document of a few lines."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import dukpy
import numpy as np

VOID = {"meta", "input", "path", "use", "link", "br"}
DOCUMENT = """
class Element {
  constructor(tag, attributes, text) {
    this.tag = tag; this.attributes = attributes || {}; this.text = text || ""; this.children = []; this.heard = {};
    this.style = {}; this.hidden = "hidden" in this.attributes; this.value = this.attributes.value;
    const looks = new Set((this.attributes["class"] || "").split(" ").filter(Boolean));
    this.classList = {
      looks, add: name => looks.add(name), has: name => looks.has(name),
      toggle: (name, on) => {
        const now = on === undefined ? !looks.has(name) : on;
        if (now) looks.add(name); else looks.delete(name);
        return now;
      } };
  }
  get textContent() { return this.text + this.children.map(each => each.textContent).join(""); }
  set textContent(text) { this.children = []; this.text = String(text); }
  get className() { return [...this.classList.looks].join(" "); }
  set className(names) { names.split(" ").forEach(name => this.classList.add(name)); }
  get lastChild() { return this.children[this.children.length - 1]; }
  get tBodies() { return [this.body || (this.body = new Element("tbody"))]; }
  get tHead() { return this.head || (this.head = new Element("thead")); }
  querySelector() { return this.table || (this.table = new Element("table")); }
  setAttribute(name, value) { this.attributes[name] = value; if (name === "class") this.className = value; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  addEventListener(name, act) { this.heard[name] = act; }
}
const elements = dukpy["elements"].map(([tag, attributes, text]) => new Element(tag, attributes, text));
const root = new Element("html");
globalThis.document = {
  documentElement: root,
  getElementById: id => elements.find(each => each.attributes.id === id),
  createElement: tag => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
  querySelectorAll: rule => elements.filter(each => each.classList.has(rule.slice(1))) };
"""
STATE = """
(() => {
  dukpy["at"].forEach((value, i) => {
    const slider = document.getElementById("slide" + i);
    slider.value = String(value);
    slider.heard.input();
  });
  const by = id => document.getElementById(id), text = id => by(id).textContent;
  if (dukpy["open"]) { by("values").open = true; by("values").heard.toggle(); }
  const rows = part => part.children.map(row => row.children.map(cell => cell.textContent));
  const table = by("values").querySelector("table");
  return {
    says: text("says"), told: text("told"), setting: text("setting"), empty: by("empty").hidden ? "" : text("empty"),
    at: dukpy["at"].map((_, i) => [text("at" + i), by("slide" + i).attributes["aria-valuetext"]]),
    paths: [...document.querySelectorAll(".part")].map(each => [each.className, each.attributes.d]),
    labels: by("labels").children.map(each => [each.textContent, each.className, each.style.left, each.style.top]),
    legend: by("legend").children.map(each => each.textContent),
    facts: rows(by("facts").tBodies[0]),
    refused: by("facts").tBodies[0].children.map(row => row.children.map(cell => cell.classList.has("refused"))),
    heads: [...document.querySelectorAll(".of-series")].map(each => each.classList.has("refused")),
    values: [...rows(table.tHead), ...rows(table.tBodies[0])],
    shown: [...document.querySelectorAll(".live")].every(each => !each.hidden)
      && [...document.querySelectorAll(".still")].every(each => each.hidden) };
})()
"""


class Page(HTMLParser):
    """All elements of a page with the text that they begin with, and its data and script."""

    def __init__(self, content):
        super().__init__()
        self.content, self.elements, self._open = content.decode(), [], []
        self.feed(self.content)
        self.data = json.loads(self.by_id("cells")[2])
        self.script = next(text for tag, attributes, text in self.elements if tag == "script" and not attributes)
        self.policy = next(attributes["content"] for tag, attributes, _ in self.elements
                           if attributes.get("http-equiv") == "Content-Security-Policy")

    def by_id(self, name):
        return next(each for each in self.elements if each[1].get("id") == name)

    def with_class(self, name):
        return [each for each in self.elements if name in each[1].get("class", "").split()]

    def handle_starttag(self, tag, attrs):
        self.elements.append([tag, {name: value or "" for name, value in attrs}, ""])
        self._open.append(self.elements[-1])
        if tag in VOID:
            self._open.pop()

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if self._open:
            self._open[-1][2] += data

    def cell(self, *at):
        """What the script reads where the sliders stand so."""
        place = 0
        for over, i in zip(self.data["over"], at, strict=True):
            place = place * len(over["values"]) + i
        return self.data["cells"][place]

    def columns(self, *at):
        """The values of a cell by the headers of their columns."""
        return {head[0]: self.data["columns"][place] for head, place in zip(
            self.data["heads"], self.cell(*at)["values"], strict=True) if place >= 0}

    def facts(self, *at):
        """Of each fact of a cell: words, text, value, kind, low and high."""
        return [(label, *fact) for label, row in self.cell(*at)["facts"] for fact in row if fact]

    def said(self, *at):
        return self.data["words"][self.cell(*at)["says"]]

    def run(self, *at, table=False):
        """What the page shows once the sliders were moved there."""
        interpreter = dukpy.JSInterpreter()
        interpreter.evaljs([DOCUMENT, self.script], elements=self.elements)
        return interpreter.evaljs(STATE, at=list(at), open=table)

    def axis(self, name, side):
        """From a number to units of the picture, as the ticks with plain numbers say."""
        spans = [(float(attributes["style"].partition(":")[2].rstrip("%")), number(text))
                 for tag, attributes, text in self.elements if tag == "span" and attributes.get("class", "") == name
                 and attributes.get("style", "").startswith(side)]
        (first, low), (last, high) = spans[0], spans[-1]
        return lambda value: (first + (value - low) / (high - low) * (last - first)) * 100


def number(text):
    return float(text.replace("\u202f", "").replace("−", "-"))


def points(path):
    """The corners of a path of one line, in units."""
    found, here = [], np.zeros(2)
    for letter, numbers in re.findall(r"([MlhHvV])([^A-Za-z]*)", path):
        given = [int(each) for each in re.findall(r"-?\d+", numbers)]
        assert letter in "Ml", path
        for x, y in zip(given[::2], given[1::2], strict=True):
            here = np.array([x, y]) + (here if letter == "l" else 0)
            found.append(here)
    return np.array(found)
