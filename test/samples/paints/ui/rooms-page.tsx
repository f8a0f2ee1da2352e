import { DataTable, Link, Page, Problem, SelectField, Stack, useItems, type Host } from '@gantry/ui';
import { Swatch } from './colour-field';

const rooms = [
  { value: '', label: 'All rooms' },
  { value: 'KITCHEN', label: 'Kitchen' },
  { value: 'BATH', label: 'Bath' },
  { value: 'HALL', label: 'Hall' },
];

/** The paints of one room; the room is in the address, so that a link and the Back button bring it back. */
export function RoomsPage({ host, room }: { host: Host; room: string }) {
  const where = room === '' ? [] : [{ field: 'room', operator: 'EQUALS' as const, value: room }];
  const paints = useItems('paint', { where, sort: 'name' });
  return (
    <Page title="Paints by room">
      <Stack>
        <SelectField
          label="Room"
          options={rooms}
          value={room}
          onChange={(chosen) => host.navigate(chosen === '' ? '/x/paints/rooms' : `/x/paints/rooms/${chosen}`)}
        />
        {paints.error && <Problem error={paints.error} onRetry={paints.reload} />}
        <DataTable
          caption="Paints"
          rows={paints.value?.items ?? []}
          rowKey={({ id }) => id}
          empty="No paint for this room"
          columns={[
            { title: 'Name', cell: ({ id, values }) => <Link to={`/content/paint/${id}`}>{String(values['name'])}</Link> },
            { title: 'Colour', cell: ({ values }) => <Swatch colour={String(values['colour'])} /> },
            { title: 'Litres', align: 'end', cell: ({ values }) => String(values['litres'] ?? '') },
          ]}
        />
      </Stack>
    </Page>
  );
}
