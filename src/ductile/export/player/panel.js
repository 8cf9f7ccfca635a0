// SPDX-License-Identifier: MIT

const KEYS = [
  ['space', 'play or pause'], ['left, right', 'one frame back, on; with shift ten'], ['home, end', 'first, last frame'],
  ['[ and ]', 'the hit before, the next hit'], ['1 to 6', 'speed: 0.1, 0.25, 0.5, 1, 2, 4 times'], ['C', 'next colour mode'],
  ['W', 'wireframe'], ['F', 'see everything'], ['V', "the film's camera"], ['L', 'begin again at the end'], ['B', 'list of bodies'],
  ['E', 'energies'], ['esc', 'nothing chosen'], ['drag', 'orbit; right button or shift: move; wheel or pinch: zoom'],
  ['#frame=40&pause', 'at the end of the address: a frame to begin with; also colour=strain, wire'],
];

export function fillHelp(box) {
  const heading = document.createElement('h2');
  heading.textContent = 'Keys';
  const list = document.createElement('dl');
  for (const [key, meaning] of KEYS) {
    const term = document.createElement('dt'), text = document.createElement('dd');
    term.textContent = key;
    text.textContent = meaning;
    list.append(term, text);
  }
  box.append(heading, list);
}

/** The list of bodies: a box to show or hide each, its name to look at it. Names are only ever text. */
export class BodyList {
  constructor(film, list, calls) {
    this.rows = film.bodies.map((body) => {
      const row = document.createElement('li'), box = document.createElement('input');
      const name = document.createElement('button'), count = document.createElement('span');
      box.type = 'checkbox';
      box.checked = true;
      box.setAttribute('aria-label', `show ${body.name}`);
      box.addEventListener('change', () => { body.isShown = box.checked; calls.changed(); });
      name.type = 'button';
      name.textContent = body.name;
      name.title = `${body.name}: look at it`;
      name.addEventListener('click', () => calls.chosen(body));
      count.className = 'count';
      count.textContent = body.hitCount > 0 ? String(body.hitCount) : '';
      count.title = 'hits';
      row.append(box, name, count);
      list.append(row);
      return { body, row, box };
    });
  }

  showAll() {
    for (const { body, box } of this.rows) box.checked = body.isShown = true;
  }

  draw(chosen) {
    for (const { body, row } of this.rows) {
      const isChosen = body === chosen;
      if (isChosen && !row.classList.contains('chosen')) row.scrollIntoView({ block: 'nearest' });
      row.classList.toggle('chosen', isChosen);
    }
  }
}
