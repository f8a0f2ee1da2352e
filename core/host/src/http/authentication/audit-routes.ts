import { GantryError } from '@gantry/plugin-api';
import type { Identity } from '../../identity';
import { parseQuery } from '../exchange/query';
import { addReadRoute, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission } from '../exchange/principal';

const maxLimit = 1_000;

/** The audit log, the latest events first; for administrators. */
export function auditRoutes({ audit }: Pick<Identity, 'audit'>): Routes {
  return (app) => {
    addReadRoute(app, '/api/platform/audit', async (request, response) => {
      assertPermission(request, 'audit.read');
      const { limit = '50', before } = parseQuery(request, ['limit', 'before']);
      const events = await audit.list({
        limit: parseCount('limit', limit, maxLimit),
        ...(before === undefined ? {} : { before: String(parseCount('before', before, Number.MAX_SAFE_INTEGER)) }),
      });
      sendData(response, 200, JSON.stringify(events));
    });
  };
}

function parseCount(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= 1 && value <= max) return value;
  throw new GantryError('BAD_REQUEST', `${name} must be a whole number from 1 to ${max}.`);
}
