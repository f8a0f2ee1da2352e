import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  connect,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../../../../../test/support/make-certificates';

/** Guard of another cluster: TLS, and an API key that every call must carry. */
export interface GuardedCluster {
  readonly address: string;
  /** File with the certificate of the authority that signed the server's. */
  readonly authorityFile: string;
  close(): Promise<void>;
}

/** @param upstream address of a server without either */
export async function guardCluster(upstream: string, apiKey: string): Promise<GuardedCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-guarded-'));
  const { authority, cert, key } = await makeCertificates();
  writeFileSync(join(folder, 'authority.cert'), authority);
  const cluster = connect(`http://${upstream}`);
  const server = createSecureServer({ key, cert });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (headers.authorization === `Bearer ${apiKey}`) forward(stream, headers);
    else refuse(stream);
  });
  const forward = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    const call = cluster.request({ ...headers, ':scheme': 'http', ':authority': upstream });
    call.on('error', () => stream.close(constants.NGHTTP2_CANCEL));
    call.on('response', (answer, flags) => {
      // An answer of headers alone, which is how gRPC reports most errors.
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) return stream.respond(answer, { endStream: true });
      stream.respond(answer, { waitForTrailers: true });
      let trailers: IncomingHttpHeaders = {};
      call.on('trailers', (given) => (trailers = given));
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      call.pipe(stream);
      return undefined;
    });
    stream.on('close', () => call.close(constants.NGHTTP2_CANCEL));
    stream.pipe(call);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    // By name: a certificate for an address is not what clusters have.
    address: `localhost:${typeof address === 'object' && address !== null ? address.port : 0}`,
    authorityFile: join(folder, 'authority.cert'),
    async close() {
      for (const session of sessions) session.destroy();
      cluster.destroy();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}

/** gRPC's own word for a missing or wrong key. */
function refuse(stream: ServerHttp2Stream): void {
  const status = { 'grpc-status': '16', 'grpc-message': 'Request unauthorized.' };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
}
