import type { FormField } from '@gantry/contracts';
import type { FieldControlProps } from '@gantry/ui';
import { useRenderPart } from '../part-control';

export function FieldControl({ field, ...props }: FieldControlProps) {
  return useRenderPart()({ ...props, field: field as FormField });
}
