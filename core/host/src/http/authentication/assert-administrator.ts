import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { administrator } from '../../identity';
import { principalOf } from '../exchange/principal';

/** @throws GantryError UNAUTHENTICATED, FORBIDDEN */
export function assertAdministrator(request: IncomingMessage): void {
  if (principalOf(request).roles.includes(administrator)) return;
  throw new GantryError('FORBIDDEN', 'Only an administrator may do this.');
}
