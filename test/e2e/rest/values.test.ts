import { useTestHost } from '../../support/platform';
import { itemsOf } from '../../support/rest-client';
import { workbench } from './support/workbench';

const host = useTestHost(workbench);
const items = itemsOf(host);

describe('values', () => {
  it('starts every plugin', () => {
    expect(host.report.plugins.map(({ id, state, problems }) => ({ id, state, problems }))).toEqual(
      ['articles', 'catalog', 'events', 'workbench'].map((id) => ({ id, state: 'started', problems: [] })),
    );
  });
  it('smoke', async () => {
    const id = await items.created('gauge', { name: 'x', small: 3 });
    console.log((await items.get(`gauge/${id}`)).text);
  });
});
