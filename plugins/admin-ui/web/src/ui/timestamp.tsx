const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A point in time in the reader's time zone; the exact one in UTC on hover. */
export function Timestamp({ value }: { readonly value: unknown }) {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) return null;
  return (
    <time
      dateTime={time.toISOString()}
      title={`${time.toISOString().replace('T', ' ').replace('Z', '')} UTC`}
      className="no-wrap"
    >
      {shown.format(time)}
    </time>
  );
}
