import { Button, Card, Empty, Grid, Link, Loading, Page, Problem, useItems, type Host } from '@gantry/ui';
import { useState } from 'react';
import { Swatch } from './colour-field';
import { presets } from './colours';

/** All paints as cards; an empty palette can be filled with the presets. */
export function PalettePage({ host }: { host: Host }) {
  const paints = useItems('paint', { sort: 'name', limit: 200 });
  const [filling, setFilling] = useState(false);
  const fill = async (): Promise<void> => {
    setFilling(true);
    try {
      for (const preset of presets) await host.items.create('paint', preset);
      host.notify('The presets are in the palette');
    } catch (error) {
      host.notify(error instanceof Error ? error.message : String(error), 'error');
    } finally {
      setFilling(false);
    }
  };
  return (
    <Page title="Palette" description="Every paint that is in store">
      {paints.error && <Problem title="The paints could not be read" error={paints.error} onRetry={paints.reload} />}
      {paints.value === undefined && !paints.error && <Loading />}
      {paints.value?.items.length === 0 && (
        <Empty
          title="No paint yet"
          action={
            <Button kind="primary" busy={filling} onClick={() => void fill()}>
              Add the presets
            </Button>
          }
        >
          Begin with the presets, or create your own.
        </Empty>
      )}
      <Grid>
        {paints.value?.items.map(({ id, values }) => (
          <Card key={id} title={String(values['name'])}>
            <Swatch colour={String(values['colour'])} /> <Link to={`/content/paint/${id}`}>Edit {String(values['name'])}</Link>
          </Card>
        ))}
      </Grid>
    </Page>
  );
}
