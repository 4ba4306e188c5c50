
"use strict";
// Shows the cell at which the sliders stand. All numbers, words and paths come from the element "cells", which is data:
// nothing is computed here, and what is shown becomes text, never markup.
(() => {
  const by = id => document.getElementById(id);
  const page = JSON.parse(by("cells").textContent);
  const counts = page.over.map(over => over.values.length);
  const sliders = page.over.map((_, i) => by("slide" + i));
  const parts = [...document.querySelectorAll(".part")];
  const SVG = "http://www.w3.org/2000/svg";

  const make = (name, words, look) => {
    const made = document.createElement(name);
    if (words !== undefined) made.textContent = words;
    if (look) made.className = look;
    return made;
  };

  // Cells stand row by row: the last slider changes fastest.
  const cell = () => page.cells[sliders.reduce((at, slider, i) => at * counts[i] + Number(slider.value), 0)];

  const draw = now => {
    parts.forEach((part, i) => {
      const path = now.paths ? now.paths[i] : -1, state = now.states ? now.states[i] : ".";
      part.setAttribute("d", path < 0 ? "" : page.paths[path]);
      part.classList.toggle("refused", state === "r");
      part.classList.toggle("decided", state === "d");
    });
    const labels = now.labels === undefined ? [] : page.labels[now.labels];
    by("labels").replaceChildren(...labels.map(([words, look, left, top]) => {
      const label = make("span", words, look);
      label.style.left = left + "%";
      label.style.top = top + "%";
      return label;
    }));
    const legend = now.legend === undefined ? [] : page.legends[now.legend];
    by("legend").replaceChildren(...legend.map(entry));
  };

  const entry = ([kind, look, words]) => {
    const item = make("li"), sample = document.createElementNS(SVG, "svg"), line = document.createElementNS(SVG, "path");
    const kinds = { curve: "line", other: "line thin", area: "swatch", dots: "dot" };
    line.setAttribute("class", kinds[kind] + " " + look);
    line.setAttribute("d", kind === "dots" ? "M22 5h0" : "M0 5H44");
    sample.setAttribute("viewBox", "0 0 44 10");
    sample.setAttribute("aria-hidden", "true");
    sample.append(line);
    item.append(sample, make("span", words));
    return item;
  };

  const facts = now => {
    const refused = now.refused || [], look = i => refused.includes(i) ? "refused" : "";
    document.querySelectorAll(".of-series").forEach((head, i) => head.classList.toggle("refused", refused.includes(i)));
    const rows = (now.facts || []).map(([label, cells]) => {
      const row = make("tr"), head = make("th", label);
      head.setAttribute("scope", "row");
      const alone = cells.length < page.series;
      row.append(head, ...cells.map((fact, i) => make("td", fact ? fact[0] : "–", alone ? "" : look(i))));
      if (alone) row.lastChild.setAttribute("colspan", String(page.series));
      return row;
    });
    by("facts").tBodies[0].replaceChildren(...rows);
  };

  // The values at full precision, as they stand in the data; made where somebody looks at them.
  const values = now => {
    const table = by("values").querySelector("table");
    const columns = (now.values || []).map((at, i) => [page.heads[i][1], page.columns[at]]).filter(each => each[1]);
    const head = make("tr");
    head.append(...columns.map(([words]) => {
      const cell = make("th", words);
      cell.setAttribute("scope", "col");
      return cell;
    }));
    const rows = columns.length ? columns[0][1].map((_, row) => {
      const line = make("tr");
      line.append(...columns.map(([, numbers]) => make("td", String(numbers[row]))));
      return line;
    }) : [];
    table.tHead.replaceChildren(head);
    table.tBodies[0].replaceChildren(...rows);
  };

  const show = () => {
    const now = cell();
    sliders.forEach((slider, i) => {
      const words = page.over[i].said[Number(slider.value)];
      by("at" + i).textContent = words;
      slider.setAttribute("aria-valuetext", words);
    });
    by("says").textContent = page.words[now.says];
    by("told").textContent = now.told === undefined ? "" : page.words[now.told];
    by("setting").textContent = page.words[now.setting];
    const empty = now.empty === undefined ? "" : page.words[now.empty];
    by("empty").textContent = empty;
    by("empty").hidden = !empty;
    draw(now);
    facts(now);
    if (by("values").open) values(now);
  };

  document.documentElement.classList.add("scripted");
  document.querySelectorAll(".still").forEach(each => { each.hidden = true; });
  document.querySelectorAll(".live").forEach(each => { each.hidden = false; });
  const larger = by("larger");
  larger.hidden = false;
  larger.addEventListener("click", () => {
    const on = document.documentElement.classList.toggle("large");
    larger.setAttribute("aria-pressed", String(on));
  });
  sliders.forEach(slider => slider.addEventListener("input", show));
  by("values").addEventListener("toggle", show);
  show();
})();
