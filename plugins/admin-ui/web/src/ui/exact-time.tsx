import type { ReactNode } from 'react';

/** A point in time in ISO 8601; undefined for any other value. */
export function parseTime(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

/** A point in time as its children say it; the exact one in UTC on hover. */
export function ExactTime({ time, children }: { readonly time: Date; readonly children: ReactNode }) {
  const exact = time.toISOString();
  return (
    <time dateTime={exact} title={`${exact.replace('T', ' ').replace('Z', '')} UTC`} className="no-wrap">
      {children}
    </time>
  );
}
