import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createHttpMessages, useHttpMessages } from '../src/http-messages';

test('requests and responses keep the prototypes they were made with, and have the methods of Express', async () => {
  const messages = createHttpMessages();
  const app = express();
  useHttpMessages(app, messages);
  app.get('/here', (request, response) => {
    const kept =
      Object.getPrototypeOf(request) === messages.IncomingMessage.prototype &&
      Object.getPrototypeOf(response) === messages.ServerResponse.prototype;
    response.status(202).json({ kept, path: request.path, isOwnApp: request.app === app && response.app === app });
  });
  const server = createServer({ ...messages }, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/here`);

  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ kept: true, path: '/here', isOwnApp: true });
  server.closeAllConnections();
  server.close();
});
