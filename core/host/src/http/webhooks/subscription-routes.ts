import type { IncomingMessage } from 'node:http';
import type { PluginSubscriptionStatus } from '@gantry/contracts';
import type { Feed, PluginSubscriptions, SubscriptionEngine } from '../../subscriptions';
import type { ReadJson } from '../exchange/body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { addControlPaths, assertManages } from './control-paths';

export interface SubscriptionRouteDependencies {
  readonly subscriptions: PluginSubscriptions;
  readonly feed: Feed;
  readonly engine: Pick<SubscriptionEngine, 'refresh'>;
  readonly readJson: ReadJson;
  /** Notes in the audit log what the caller did. */
  readonly record: (request: IncomingMessage, action: string, subscription: PluginSubscriptionStatus) => Promise<void>;
}

interface Parameters {
  readonly plugin: string;
  readonly name: string;
}

const path = '/api/platform/subscriptions/:plugin/:name';

/** Subscriptions that plugins declare: what they are about is in the code of the plugin, whether and from where they deliver is here. */
export function subscriptionRoutes(dependencies: SubscriptionRouteDependencies): Routes {
  const { subscriptions } = dependencies;
  return (app) => {
    addPath(app, '/api/platform/subscriptions', {
      async get(request, response) {
        parseQuery(request, []);
        assertManages(request);
        sendData(response, 200, JSON.stringify(await subscriptions.list()));
      },
    });
    addPath(app, path, onePath(dependencies));
    addControlPaths(app, {
      ...dependencies,
      path,
      noun: 'subscription',
      idOf,
      requestOf: (_id, { json }) => Promise.resolve(json),
    });
  };
}

function onePath({ subscriptions, readJson, record, engine }: SubscriptionRouteDependencies): PathHandlers<Parameters> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertManages(request);
      sendData(response, 200, JSON.stringify(await subscriptions.get(idOf(request.params))));
    },
    async delete(request, response) {
      parseQuery(request, []);
      assertManages(request);
      await readJson(request, response);
      const id = idOf(request.params);
      const subscriptionId = await subscriptions.subscriptionOf(id);
      const subscription = await subscriptions.remove(id);
      await record(request, 'subscription-deleted', subscription);
      await engine.refresh(subscriptionId);
      response.status(204).end();
    },
  };
}

function idOf({ plugin, name }: Parameters): string {
  return `${plugin}/${name}`;
}
