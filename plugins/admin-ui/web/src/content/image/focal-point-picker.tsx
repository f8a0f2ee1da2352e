import './focal-point.css';
import { Button, Group, Input } from '@mantine/core';
import type { PointerEvent } from 'react';
import type { FocalPoint } from '../../api/image-description';
import { isStoredImage } from '../thumbnail';

export interface FocalPointPickerProps {
  readonly id: string;
  readonly label: string;
  /** The image; without one, there are only the two controls. */
  readonly address: string | undefined;
  readonly value: FocalPoint | undefined;
  onChange(value: FocalPoint | undefined): void;
}

const middle: FocalPoint = { x: 0.5, y: 0.5 };

/** A point of an image: by a pointer on the image, and by two sliders for the keyboard. */
export function FocalPointPicker({ id, label, address, value, onChange }: FocalPointPickerProps) {
  const { x, y } = value ?? middle;
  const take = (event: PointerEvent<HTMLElement>): void => {
    if (event.buttons % 2 === 0) return;
    event.preventDefault();
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    onChange({ x: partOf((event.clientX - left) / width), y: partOf((event.clientY - top) / height) });
  };
  const isShown = address !== undefined && isStoredImage(address);
  return (
    <div className="focal-point" role="group" aria-label={label}>
      {isShown ? (
        <div
          className="focal-point-image"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            take(event);
          }}
          onPointerMove={take}
        >
          <img src={`${address}?width=640`} alt="" draggable={false} />
          {value === undefined ? null : (
            <span className="focal-point-mark" style={{ left: `${x * 100}%`, top: `${y * 100}%` }} />
          )}
        </div>
      ) : null}
      <Percent id={id} label="From the left" part={x} onChange={(part) => onChange({ x: part, y })} />
      <Percent id={`${id}-y`} label="From the top" part={y} onChange={(part) => onChange({ x, y: part })} />
      {value === undefined ? null : (
        <Group>
          <Button variant="default" size="xs" onClick={() => onChange(undefined)}>
            Remove focal point
          </Button>
        </Group>
      )}
    </div>
  );
}

interface PercentProps {
  readonly id: string;
  readonly label: string;
  readonly part: number;
  onChange(part: number): void;
}

function Percent({ id, label, part, onChange }: PercentProps) {
  const percent = Math.round(part * 100);
  return (
    <div className="focal-point-percent">
      <Input.Label htmlFor={id}>{label}</Input.Label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-valuetext={`${percent} %`}
        onChange={(event) => onChange(Number(event.currentTarget.value) / 100)}
      />
      <output htmlFor={id}>{percent} %</output>
    </div>
  );
}

/** Within the image, in thousandths. */
function partOf(position: number): number {
  return Math.round(Math.min(1, Math.max(0, position)) * 1_000) / 1_000;
}
