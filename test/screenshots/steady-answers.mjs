import { pictureTime } from './picture-clock.mjs';
import { placedOn } from './sample-orders.mjs';

const ordersOfDay = /"day":"(\d{4}-\d\d-\d\d)","placed":\d+/g;
const timestamp = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)/g;
const timings = /"timings":\{[^}]*\}/g;
const milliseconds = /("(?:ms|\w*(?:Ms|[mM]illiseconds))":)\d+(\.\d+)?/g;
/** Of an activity or of an event at its end. */
const endOfActivity =
  /("closeTime":"|"eventTime":"(?=[^"]*","eventType":"EVENT_TYPE_ACTIVITY_TASK_(?:COMPLETED|FAILED)))([^"]+)/g;
const tokenId = /"id":"[A-Za-z0-9]{12}"(?=,"userId")/g;
const durations = [41, 118, 23, 64, 310, 87, 35, 152];

/**
 * Answers of the platform with what differs between two runs replaced: times since its start, durations, and where this machine
 * keeps it. An event stream is passed on unchanged.
 * @param clock see picture-clock.mjs
 * @param names by texts of answers, what they are replaced with
 */
export async function makeAnswersSteady(context, address, clock, names) {
  const begin = Date.now();
  await context.clock.setFixedTime(pictureTime);
  await context.route(`${address}/**`, async (route) => {
    const request = route.request();
    const isStream = (request.headers().accept ?? '').includes('text/event-stream');
    if (isStream || !['fetch', 'xhr', 'document'].includes(request.resourceType())) return route.continue();
    const response = await route.fetch();
    if (!/json|html/.test(response.headers()['content-type'] ?? '')) return route.fulfill({ response });
    return route.fulfill({ response, body: makeSteady(await response.text(), begin, clock, names) });
  });
}

function makeSteady(body, begin, clock, names) {
  const next = createDurations();
  let steady = body
    .replace(timings, (text) => text.replace(/:[\d.]+/g, () => `:${next()}`))
    .replace(timestamp, (text) => shownTime(text, clock))
    .replace(endOfActivity, (_text, before, time) => `${before}${later(time)}`)
    .replace(ordersOfDay, (_text, day) => placedText(dayOfPicture(day, begin)))
    .replace(tokenId, '"id":"CfK8Z6qhFVgu"')
    .replace(milliseconds, (_text, name) => `${name}${next()}`);
  for (const [text, name] of Object.entries(names)) steady = steady.replaceAll(text, name);
  return steady;
}

/** One after the other of an answer, so that rows differ. */
function createDurations() {
  let index = 0;
  return () => durations[index++ % durations.length];
}

function shownTime(text, clock) {
  const shown = clock.shown(Date.parse(text));
  return shown === undefined ? text : new Date(shown).toISOString();
}

/** An activity takes a while, which is not the same in two runs. */
function later(time) {
  return new Date(Date.parse(time) + 340).toISOString();
}

function placedText(day) {
  return `"day":"${day}","placed":${placedOn(day)}`;
}

/** The day that is as far from that of the picture as a day is from today. */
function dayOfPicture(day, begin) {
  const today = Date.parse(new Date(begin).toISOString().slice(0, 10));
  return new Date(pictureTime.getTime() + Date.parse(day) - today).toISOString().slice(0, 10);
}
