import type { IncomingMessage } from 'node:http';
import type { CompiledItemType, Scope } from '@gantry/core-content';

/** The scope of a request: on whose behalf it reads and writes. */
export type ScopeOf = (request: IncomingMessage) => Scope;

/** Finds the type of a path. @throws GantryError TYPE_NOT_FOUND, or UNAVAILABLE while its plugin is quarantined. */
export type FindServedType = (scope: Scope, code: string) => CompiledItemType;
