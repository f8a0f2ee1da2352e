import type { ReactNode } from 'react';

/** A point in time in ISO 8601; undefined for any other value. */
export function parseTime(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

/** A point in time as its children say it; the exact one in UTC on hover, behind a longer text where there is one. */
export function ExactTime({
  time,
  long,
  children,
}: {
  readonly time: Date;
  readonly long?: string;
  readonly children: ReactNode;
}) {
  const exact = time.toISOString();
  const utc = `${exact.replace('T', ' ').replace('Z', '')} UTC`;
  return (
    <time dateTime={exact} title={long === undefined ? utc : `${long} (${utc})`} className="no-wrap">
      {children}
    </time>
  );
}
