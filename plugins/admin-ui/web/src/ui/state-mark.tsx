import type { OptionColor } from '@gantry/contracts';
import type { ReactNode } from 'react';

/** Whether a colour is that of states in which somebody must act, or something is under way; the others are as usual. */
export function isUrgent(color: OptionColor): boolean {
  return color !== 'gray' && color !== 'green';
}

interface StateMarkProps {
  readonly color: OptionColor;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A state: a filled badge where somebody must act, otherwise a dot and its text. Plain elements, as a table has many. */
export function StateMark({ color, title, children }: StateMarkProps) {
  return (
    <span className="choice-badge" data-color={color} data-urgent={isUrgent(color) || undefined} title={title}>
      {children}
    </span>
  );
}
