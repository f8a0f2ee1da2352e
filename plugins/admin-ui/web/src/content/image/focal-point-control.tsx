import { Input, Text } from '@mantine/core';
import { focalPointOf, type FocalPoint } from '../../api/image-description';
import { textOf } from '../kinds/control-attributes';
import type { ControlProps, LockedProps } from '../kinds/field-view';
import { FocalPointPicker } from './focal-point-picker';

/** Sets the focal point of the image whose address another field of the form has. */
export function FocalPointControl(props: ControlProps) {
  const { id, field, error, sources = {}, onChange } = props;
  const address = sources[field.focalPoint?.image ?? ''];
  return (
    <Input.Wrapper
      label={field.displayName}
      labelElement="div"
      description={field.help}
      error={error}
      withAsterisk={field.required}
    >
      <FocalPointPicker
        id={id}
        label={field.displayName}
        address={typeof address === 'string' && address !== '' ? address : undefined}
        value={focalPointOf(textOf(props))}
        onChange={(point) => onChange(point === undefined ? '' : JSON.stringify(point))}
      />
    </Input.Wrapper>
  );
}

export function LockedFocalPoint({ value }: LockedProps) {
  return <Text size="sm">{pointText(focalPointOf(value))}</Text>;
}

function pointText(point: FocalPoint | undefined): string {
  if (point === undefined) return 'The centre';
  return `${Math.round(point.x * 100)} % from the left, ${Math.round(point.y * 100)} % from the top`;
}
