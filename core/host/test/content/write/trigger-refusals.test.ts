import { createOpenPolicy, userScope } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { send, sendJson } from '../../../../../test/support/rest-client';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

const Parcel = declareType('Parcel', { code: { required: true } });
const items = '/api/cms/items/parcel';

let content: OpenTypes;
let served: ServedItems;
beforeAll(async () => {
  content = await openTypes([Parcel]);
  const policy = createOpenPolicy(content.types);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
  await content.rows(`
    CREATE FUNCTION refuse_parcels() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.code LIKE 'X%' THEN RAISE EXCEPTION 'parcels with X are not taken'; END IF;
      RETURN NEW;
    END $$`);
  await content.rows(
    'CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON workshop_parcel FOR EACH ROW EXECUTE FUNCTION refuse_parcels()',
  );
});
afterAll(() => served.close());

const codes = async (): Promise<readonly unknown[]> =>
  (await content.rows('SELECT code FROM workshop_parcel ORDER BY id')).map(({ code }) => code);

describe('an exception that a trigger of a plugin raises', () => {
  it('is a refusal with its message, and nothing is written', async () => {
    const created = await sendJson(served.address, 'POST', items, { code: 'X-1' });
    const { json } = await sendJson(served.address, 'POST', items, { code: 'A-1' });
    const updated = await sendJson(served.address, 'PATCH', `${items}/${json.data.id}`, { code: 'X-2' });

    for (const { status, json: answer } of [created, updated]) {
      expect([status, answer.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(answer.error.message).toContain('parcels with X are not taken');
    }
    expect(await codes()).toEqual(['A-1']);
  });

  it('is the problem of its line in an imported file', async () => {
    const body = '{"code":"A-2"}\n{"code":"X-3"}\n';
    const headers = { 'content-type': 'application/x-ndjson' };
    const { json } = await send(served.address, '/api/cms/imports/parcel', { method: 'POST', headers, body });

    expect(json.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ code: 'VALIDATION_FAILED', line: 2 }] });
    expect(await codes()).not.toContain('X-3');
  });
});
