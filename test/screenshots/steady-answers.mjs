/** The time of the browser, and what all times since the start of the platform are shown as. */
export const pictureTime = new Date('2026-03-02T09:00:00Z');

const hour = 3_600_000;
const dayOfOrders = /"day":"(\d{4}-\d\d-\d\d)"/g;
const timestamp = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)/g;
const timings = /"timings":\{[^}]*\}/g;
const milliseconds = /("(?:ms|\w*(?:Ms|[mM]illiseconds))":)\d+(\.\d+)?/g;

/**
 * Answers of the platform with what differs between two runs replaced: times since its start, durations, and where this machine
 * keeps it. An event stream is passed on unchanged.
 * @param names by texts of answers, what they are replaced with
 */
export async function makeAnswersSteady(context, address, names) {
  const begin = Date.now();
  await context.clock.setFixedTime(pictureTime);
  await context.route(`${address}/**`, async (route) => {
    const request = route.request();
    const isStream = (request.headers().accept ?? '').includes('text/event-stream');
    if (isStream || !['fetch', 'xhr', 'document'].includes(request.resourceType())) return route.continue();
    const response = await route.fetch();
    if (!/json|html/.test(response.headers()['content-type'] ?? '')) return route.fulfill({ response });
    return route.fulfill({ response, body: makeSteady(await response.text(), begin, names) });
  });
}

function makeSteady(body, begin, names) {
  let steady = body
    .replace(timings, (text) => text.replace(/:[\d.]+/g, ':12'))
    .replace(timestamp, (text) => (Date.parse(text) < begin - hour ? text : pictureOf(Date.parse(text) - begin)))
    .replace(dayOfOrders, (_text, day) => `"day":"${dayOfPicture(day, begin)}"`)
    .replace(milliseconds, '$112');
  for (const [text, name] of Object.entries(names)) steady = steady.replaceAll(text, name);
  return steady;
}

/** The day that is as far from that of the picture as a day is from today. */
function dayOfPicture(day, begin) {
  const today = Date.parse(new Date(begin).toISOString().slice(0, 10));
  return new Date(pictureTime.getTime() + Date.parse(day) - today).toISOString().slice(0, 10);
}

/** Times within the run become one time, later ones keep their distance in hours. */
function pictureOf(elapsed) {
  return new Date(pictureTime.getTime() + Math.round(elapsed / hour) * hour).toISOString();
}
