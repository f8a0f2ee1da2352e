import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import type { Request, RequestHandler, Response } from 'express';
import type { PluginChangeAnswer } from '../../change/plugin-change-answer';
import type { PluginChanges } from '../../change/plugin-changes';
import type { HidePaths } from '../exchange/hide-paths';
import { isJsonObject } from '../../common/json';
import type { ReadJson } from '../exchange/body';
import { assertPermission } from '../exchange/principal';
import { addReadRoute, methodNotAllowed, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import { sendData } from '../exchange/send';
import { createSharedResource, sharedResources } from '../exchange/shared-resource';

export interface PluginChangeDependencies {
  readonly changes: PluginChanges;
  /** Whether requests may choose packages. */
  readonly takesPackages: boolean;
  readonly readJson: ReadJson;
  readonly hidePaths: HidePaths;
  /** Reads the rights of the caller again: a plugin that is enabled stays so. @throws GantryError UNAUTHENTICATED, FORBIDDEN */
  readonly confirm: (request: IncomingMessage) => Promise<void>;
  /** Notes in the audit log what the caller of a request did. */
  readonly record: (request: IncomingMessage, action: string, subject: string) => Promise<void>;
}

type IdRequest = Request<{ readonly id: string }>;

/** Check, enable and disable of plugins, and how far changes are. */
export function pluginChangeRoutes(dependencies: PluginChangeDependencies): Routes {
  const { changes, takesPackages, readJson, hidePaths, confirm, record } = dependencies;
  const checks = createSharedResource(sharedResources.checks);
  return (app) => {
    const post = (action: string, handler: (request: IdRequest, response: Response) => Promise<void>): void => {
      app
        .route(`/api/platform/plugins/:id/${action}`)
        .post(async (request, response) => {
          parseQuery(request, []);
          assertPermission(request, 'plugins.change');
          await handler(request, response);
        })
        .all(methodNotAllowed('POST'));
    };
    post('check', async (request, response) => {
      assertEmpty(await readJson(request, response));
      const report = await checks.run(request, () => changes.check(request.params.id));
      sendData(response, 200, hidePaths(JSON.stringify(report)));
    });
    post('enable', async (request, response) => {
      assertEmpty(await readJson(request, response));
      await confirm(request);
      const answer = await changes.enable(request.params.id);
      await record(request, 'plugin-enabled', `plugin:${request.params.id}`);
      sendAnswer(response, answer, hidePaths);
    });
    post('disable', async (request, response) => {
      const withDependents = readDependents(await readJson(request, response));
      await confirm(request);
      const answer = await changes.disable(request.params.id, withDependents);
      await record(request, 'plugin-disabled', `plugin:${request.params.id}`);
      sendAnswer(response, answer, hidePaths);
    });
    const generations: RequestHandler = (request, response) => {
      parseQuery(request, []);
      assertPermission(request, 'plugins.read');
      sendData(response, 200, hidePaths(JSON.stringify({ ...changes.generations(), takesPackages })));
    };
    addReadRoute(app, '/api/platform/generations', generations);
  };
}

/** 202 for a change that is under way. */
function sendAnswer(response: Response, answer: PluginChangeAnswer, hidePaths: HidePaths): void {
  sendData(response, answer.change?.phase === 'waiting' ? 202 : 200, hidePaths(JSON.stringify(answer)));
}

function assertEmpty(body: unknown): void {
  if (body === undefined) return;
  if (isJsonObject(body) && Object.keys(body).length === 0) return;
  throw new GantryError('BAD_REQUEST', 'The body must be empty or an object without members.');
}

function readDependents(body: unknown): boolean {
  if (body === undefined) return false;
  if (isJsonObject(body) && Object.keys(body).every((name) => name === 'dependents')) {
    const { dependents = false } = body;
    if (typeof dependents === 'boolean') return dependents;
  }
  throw new GantryError('BAD_REQUEST', 'The body must be empty or { "dependents": true or false }.');
}
