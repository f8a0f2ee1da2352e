/** Least and greatest value of each field. */
const cronFields = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Whether a text is minute, hour, day of the month, month and day of the week, as Temporal reads them. */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/ +/);
  return (
    fields.length === cronFields.length &&
    fields.every((field, index) => field.split(',').every((part) => isCronPart(part, index)))
  );
}

function isCronPart(part: string, index: number): boolean {
  const [range = '', step, ...more] = part.toLowerCase().split('/');
  const isStep = step === undefined || /^[1-9][0-9]{0,3}$/.test(step);
  if (!isStep || more.length > 0) return false;
  if (range === '*') return true;
  const bounds = range.split('-').map((bound) => cronValue(bound, index));
  const [first = Number.NaN, last = first] = bounds;
  return bounds.length <= 2 && first <= last;
}

/** @returns NaN for what the field cannot have */
function cronValue(text: string, index: number): number {
  const [least = 0, greatest = 0] = cronFields[index] ?? [];
  const named = index === 3 ? monthNames.indexOf(text) + 1 : dayNames.indexOf(text);
  if ((index === 3 && named > 0) || (index === 4 && named >= 0)) return named;
  const value = Number(text);
  return /^[0-9]{1,2}$/.test(text) && value >= least && value <= greatest ? value : Number.NaN;
}
