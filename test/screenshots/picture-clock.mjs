/** The time of the browser. */
export const pictureTime = new Date('2026-03-02T09:00:00Z');

const hour = 3_600_000;

/**
 * Tells which time of the pictures a time of the run stands for: samples are made within a minute, and shown as of days. What
 * happens after `at(time)` is shown with that time, until the next call.
 */
export function createPictureClock() {
  const begin = Date.now();
  const moments = [{ from: begin - hour, shown: pictureTime.getTime() }];
  return {
    /** @param time ISO 8601 in UTC */
    at: (time) => void moments.push({ from: Date.now(), shown: Date.parse(time) }),
    /**
     * Times that are still to come keep their distance in hours.
     * @param time milliseconds
     * @returns milliseconds; undefined for a time before the run
     */
    shown(time) {
      const now = Date.now();
      if (time > now) return pictureTime.getTime() + Math.round((time - now) / hour) * hour;
      return moments.findLast(({ from }) => from <= time)?.shown;
    },
  };
}
