/** Whether PostgreSQL reads the ISO 8601 text of a time: it knows no year 0, and years of five digits have a sign. */
export function isStoredTime(time: Date): boolean {
  return !Number.isNaN(time.getTime()) && /^(?!0000)\d{4}-/.test(time.toISOString());
}
