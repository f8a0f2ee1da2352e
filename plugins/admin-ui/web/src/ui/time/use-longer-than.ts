import { useEffect, useState } from 'react';

/** In milliseconds: after this time a wait is explained. */
export const slowAfterMs = 4_000;

/** Whether something has been going on for longer than a time in milliseconds. */
export function useLongerThan(ms: number, goesOn: boolean): boolean {
  const [longer, setLonger] = useState(false);
  useEffect(() => {
    if (!goesOn) return undefined;
    const timer = setTimeout(() => setLonger(true), ms);
    return () => {
      clearTimeout(timer);
      setLonger(false);
    };
  }, [ms, goesOn]);
  return goesOn && longer;
}
