import { Button, FieldFrame, Row, Text, type CellProps, type FieldProps } from '@gantry/ui';
import { presets } from './colours';

/** Picks a colour where the form would have a text input. */
export function ColourField({ id, field, value, error, onChange }: FieldProps) {
  const colour = typeof value === 'string' ? value : '';
  return (
    <FieldFrame id={id} label={field.displayName} description={field.help} error={error} required={field.required}>
      {(control) => (
        <Row>
          <input
            id={control.id}
            aria-describedby={control['aria-describedby']}
            type="color"
            value={colour === '' ? '#ffffff' : colour}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <Text>{colour === '' ? 'None yet' : colour}</Text>
          {presets.map((preset) => (
            <Button key={preset.name} kind="quiet" onClick={() => onChange(preset.colour)}>
              {preset.name}
            </Button>
          ))}
        </Row>
      )}
    </FieldFrame>
  );
}

export function ColourCell({ value }: CellProps) {
  return <Swatch colour={String(value ?? '')} />;
}

/** A colour, and its name for those who cannot see it. */
export function Swatch({ colour }: { colour: string }) {
  const look = { display: 'inline-block', width: 16, height: 16, borderRadius: 4, marginInlineEnd: 8, background: colour };
  return (
    <span data-swatch={colour}>
      <span style={{ ...look, border: '1px solid currentColor', verticalAlign: 'middle' }} aria-hidden="true" />
      {colour}
    </span>
  );
}
