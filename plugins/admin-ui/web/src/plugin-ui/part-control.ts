import type { FormField } from '@gantry/contracts';
import { createContext, useContext, type ReactElement } from 'react';
import type { FormValue } from '../api/items';

interface PartControlProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: FormValue;
  readonly error: string | undefined;
  onChange(value: FormValue): void;
}

type RenderPart = (props: PartControlProps) => ReactElement;

const PartControlContext = createContext<RenderPart | undefined>(undefined);

/** Around a control that a plugin may bring: gives it the controls for the parts of its value. */
export const PartControlProvider = PartControlContext;

export function useRenderPart(): RenderPart {
  const render = useContext(PartControlContext);
  if (render === undefined) throw new Error('FieldControl can be used within the control of a field only.');
  return render;
}
