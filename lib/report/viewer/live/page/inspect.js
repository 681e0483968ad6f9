/**
 * The page of `--inspect`: shows what its relay sends, and passes it to Stately's inspector only on request.
 */

const element = id => document.getElementById(id);
const drawings = await (await fetch('machines.json')).json();

/** Machines, by their session. */
const tasks = new Map();
/** Messages for Stately's inspector; the oldest are dropped first. */
const messages = [];
let charactersKept = 0;
const MAX_CHARACTERS = 32 * 2 ** 20;
const MAX_EVENTS = 300;
let selected = null;

const socket = new WebSocket(new URL('events', location.href.replace(/^http/, 'ws')));
socket.onopen = () => {
  element('connection').textContent = 'live';
};
socket.onclose = () => {
  element('connection').textContent = 'the run is over';
  element('connection').classList.add('ended');
};
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  messages.push({ message, length: data.length });
  charactersKept += data.length;
  while (charactersKept > MAX_CHARACTERS) charactersKept -= messages.shift().length;
  tellStately(message);
  take(message);
};

function take(message) {
  const { type, sessionId, snapshot } = message;
  // Also of a machine that another one invokes.
  const machine = type === '@xstate.actor' && JSON.parse(message.definition ?? '{}').id;
  if (machine in drawings) {
    const task = { id: snapshot.context?.task?.id ?? sessionId, machine, events: [] };
    tasks.set(sessionId, { ...task, sessionId, state: '', path: [], context: null });
    if (selected === null) selected = sessionId;
  }
  const task = tasks.get(sessionId);
  if (task === undefined) return;
  if (type === '@xstate.snapshot') {
    task.state = String(snapshot.value ?? '');
    task.path = message.path ?? [];
    task.context = snapshot.context;
    task.events.push({ at: message.createdAt, type: message.event?.type ?? '', state: task.state });
    if (task.events.length > MAX_EVENTS) task.events.shift();
    if (element('follow').checked) selected = sessionId;
  }
  drawSoon();
}

let waiting = false;
/** Many messages arrive at once, and need only one drawing. */
function drawSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

function draw() {
  const all = [...tasks.values()];
  const done = all.filter(({ machine, state }) => isFinal(machine, state));
  const solved = done.filter(({ state }) => state === 'solved');
  const count = all.length === 1 ? '1 task' : `${all.length} tasks`;
  element('counts').textContent = `${count}, ${done.length} done, ${solved.length} solved`;
  drawTasks(all);
  const task = tasks.get(selected);
  if (task === undefined) return;
  element('title').textContent = `${task.id}, ${task.machine}`;
  element('description').textContent = stateOf(task.machine, task.state)?.description ?? '';
  drawMachine(task);
  drawEvents(task);
  element('context').textContent = JSON.stringify(task.context, null, 2);
}

function stateOf(machine, state) {
  return drawings[machine]?.whole.states.find(({ name }) => name === state);
}

function isFinal(machine, state) {
  return stateOf(machine, state)?.final ?? false;
}

function drawTasks(all) {
  const list = element('tasks');
  while (list.children.length < all.length) {
    const button = make('button', { type: 'button' });
    button.append(make('span'), make('span', { class: 'stands' }));
    const item = make('li');
    item.append(button);
    list.append(item);
  }
  for (const [index, { id, state, sessionId }] of all.entries()) {
    const button = list.children[index].firstChild;
    const [name, stands] = button.children;
    if (name.textContent !== id) name.textContent = id;
    if (stands.textContent !== state) stands.textContent = state;
    stands.className = `stands ${state}`;
    button.setAttribute('aria-current', String(sessionId === selected));
    button.onclick = () => {
      selected = sessionId;
      element('follow').checked = false;
      draw();
    };
  }
}

function drawMachine({ machine, state, path }) {
  const svg = element('machine');
  // The error state is drawn only if a transition led there.
  const { usual, whole } = drawings[machine] ?? {};
  const drawing = usual?.states.some(({ name }) => name === state) ? usual : whole;
  if (drawing === undefined) return svg.replaceChildren();
  svg.setAttribute('viewBox', `0 0 ${drawing.width} ${drawing.height}`);
  svg.setAttribute('width', String(drawing.width));
  const steps = new Set(path.slice(1).map((to, index) => `${path[index]} ${to}`));
  const last = path.slice(-2).join(' ');
  const arrows = drawing.arrows.map(({ from, to, labels, points }) => {
    const kind = `${from} ${to}` === last ? 'now' : steps.has(`${from} ${to}`) ? 'visited' : '';
    const end = `url(#head${kind})`;
    const arrow = shape('path', { d: curve(points), class: `arrow ${kind}`, 'marker-end': end });
    arrow.append(titleOf(`${from} to ${to}: ${labels.join(', ')}`));
    return arrow;
  });
  const states = drawing.states.map(({ name, x, y, width, height, final, description }) => {
    const visited = path.includes(name) ? 'visited' : '';
    const group = shape('g', {
      class: ['state', visited, final ? `final ${name}` : '', name === state ? 'active now' : ''].join(' '),
      'data-state': name,
    });
    const box = { x: x - width / 2, y: y - height / 2, width, height, rx: final ? height / 2 : 7 };
    const label = shape('text', { x, y: y + 4.2, 'text-anchor': 'middle' });
    label.textContent = name;
    group.append(shape('rect', box), label, titleOf(description));
    return group;
  });
  const heads = ['', 'visited', 'now'].map(kind => {
    const size = { viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7 };
    const fixed = { markerUnits: 'userSpaceOnUse', orient: 'auto' };
    const head = shape('marker', { id: `head${kind}`, class: `head ${kind}`, ...size, ...fixed });
    head.append(shape('path', { d: 'M0 0.6L8 4L0 7.4z' }));
    return head;
  });
  svg.replaceChildren(...heads, ...arrows, ...states);
}

/** Passes through the midpoints between the points, so that corners are round. */
function curve([first, ...rest]) {
  const last = rest.at(-1);
  const parts = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1];
    const end = index === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y} ${parts.length > 0 ? parts.join(' ') : `L${last.x} ${last.y}`}`;
}

function drawEvents({ events }) {
  const rows = events.toReversed().map(({ at, type, state }) => {
    const row = make('li');
    const time = make('time');
    time.textContent = new Date(Number(at)).toTimeString().slice(0, 8);
    const from = make('span', { class: 'from' });
    from.textContent = type.replace(/^xstate\./, '');
    const to = make('span', { class: 'to' });
    to.textContent = state;
    row.append(time, from, to);
    return row;
  });
  element('events').replaceChildren(...rows);
}

function make(name, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function shape(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function titleOf(text) {
  const title = shape('title', {});
  title.textContent = text;
  return title;
}

const STATELY = 'https://stately.ai';
let stately = null;
let statelyListens = false;

element('stately').onclick = () => {
  stately = window.open(`${STATELY}/inspect`, 'xstateinspector');
  statelyListens = false;
};
/** The inspector's page reports that it is ready; then it receives all earlier messages, and new ones. */
window.addEventListener('message', ({ source, origin, data }) => {
  if (origin !== STATELY || source !== stately || data?.type !== '@statelyai.connected') return;
  statelyListens = true;
  for (const { message } of messages) stately.postMessage(message, STATELY);
});
function tellStately(message) {
  if (statelyListens) stately.postMessage(message, STATELY);
}
