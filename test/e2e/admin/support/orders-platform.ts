import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { execute } from '../../../support/database';
import { freePort } from '../../../support/free-port';
import { startTestHost, type TestHost } from '../../../support/platform';
import { startLocalTemporal } from '../../../support/local-temporal';
import { askUntil } from '../../../support/ask-until';
import { markers, startHandMade } from '../../../services/support/hand-made-workflow';
import { createQuickServices, type QuickServices } from './quick-services';

/** A platform with the order services, the admin pages and a separate Temporal. */
export interface OrdersPlatform {
  readonly address: string;
  readonly databaseUrl: string;
  /** Sends a request and gives the status of the answer. */
  send(method: 'POST' | 'PUT', path: string, body?: object): Promise<number>;
  /** Places and pays an order whose carrier has reported; ends when its consignment has begun. */
  startOrder(orderId: string, delivered: boolean): Promise<void>;
  /** Starts a workflow of others, with as many events and some more. */
  startLongWorkflow(workflowId: string, events: number): Promise<void>;
  /** Ends a workflow and removes it, as the end of its retention does. */
  removeWorkflow(workflowId: string): Promise<void>;
  /** The signals in the history of a workflow, with who sent them. */
  signalsOf(workflowId: string): Promise<readonly { readonly name: unknown; readonly identity: unknown }[]>;
  /** Runs a statement in the database, to break something and to fix it. */
  sql(statement: string): Promise<void>;
  stopTemporal(): Promise<void>;
  startTemporal(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOrdersPlatform(): Promise<OrdersPlatform> {
  const port = await freePort();
  const [quick, first] = await Promise.all([createQuickServices(), startTemporal(port)]);
  let temporal: TestWorkflowEnvironment | undefined = first;
  const host = await startHost(quick, port);
  const send: OrdersPlatform['send'] = async (method, path, body) => {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await fetch(`${host.address}${path}`, { method, ...init })).status;
  };
  const stopTemporal = async (): Promise<void> => {
    await temporal?.teardown();
    temporal = undefined;
  };
  return {
    address: host.address,
    databaseUrl: host.databaseUrl,
    send,
    async startOrder(orderId, delivered) {
      await send('POST', '/place-order', { orderId });
      await send('PUT', `/consignments/${orderId}/delivery`, { delivered });
      await send('POST', `/payment?orderId=${orderId}`);
      const consignment = `${host.address}/workflows/consignment-${orderId}`;
      await askUntil(
        async () => (await fetch(consignment)).status,
        (status) => status === 200,
      );
    },
    async startLongWorkflow(workflowId, events) {
      if (temporal === undefined) throw new Error('Temporal does not run.');
      await (await startHandMade(temporal, workflowId)).answer(markers(events));
    },
    async removeWorkflow(workflowId) {
      await temporal?.client.workflowService.deleteWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId },
      });
      await askUntil(
        async () => (await fetch(`${host.address}/workflows/${workflowId}`)).status,
        (status) => status === 404,
      );
    },
    async signalsOf(workflowId) {
      const { events } = (await temporal?.client.workflow.getHandle(workflowId).fetchHistory()) ?? {};
      return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
        signal == null ? [] : [{ name: signal.signalName, identity: signal.identity }],
      );
    },
    sql: (statement) => execute(host.databaseUrl, statement),
    stopTemporal,
    async startTemporal() {
      temporal = await startTemporal(port);
    },
    async stop() {
      await host.stop();
      await stopTemporal();
      await quick.remove();
    },
  };
}

function startHost(quick: QuickServices, port: number): Promise<TestHost> {
  const services = ['email', 'payment', 'ops'].map((name) => `services/${name}`);
  return startTestHost({
    plugins: ['plugins/admin-ui', ...services, ...quick.plugins],
    environment: { TEMPORAL_ADDRESS: `127.0.0.1:${port}` },
  });
}

function startTemporal(port: number): Promise<TestWorkflowEnvironment> {
  return startLocalTemporal({ server: { ip: '127.0.0.1', port } });
}
