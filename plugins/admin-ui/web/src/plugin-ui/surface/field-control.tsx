import type { FormField } from '@gantry/contracts';
import type { FieldControlProps } from '@gantry/ui';
import { usePartControl } from '../part-control';

export function FieldControl({ field, ...props }: FieldControlProps) {
  const Control = usePartControl();
  return <Control {...props} field={field as FormField} />;
}
