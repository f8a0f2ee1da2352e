import { FieldFrame, type FieldProps } from '@gantry/ui';
import type { ReactNode } from 'react';

interface PartsFrameProps extends Pick<FieldProps, 'id' | 'field' | 'error'> {
  readonly children: ReactNode;
}

/** Of parts side by side, with their inputs on one line. */
export const partsRow = { display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 12 } as const;

/** Label, help and error of a field around the controls of its parts, the first of which has the id of the field. */
export function PartsFrame({ id, field, error, children }: PartsFrameProps) {
  return (
    <FieldFrame
      id={`${id}-list`}
      group
      label={field.displayName}
      description={field.help}
      error={error}
      required={field.required}
    >
      {() => children}
    </FieldFrame>
  );
}
