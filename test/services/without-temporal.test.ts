import { useServices } from './support/open-services';

const opened = useServices();

describe('the routes of the order services while Temporal is unavailable', () => {
  test.each([
    ['POST /place-order', { body: { orderId: '1' } }],
    ['POST /payment', { query: { orderId: '1' } }],
    ['POST /consignments/:orderId/dispatched', { params: { orderId: '1' } }],
    ['POST /consignments/:orderId/confirmed', { params: { orderId: '1' } }],
    ['PUT /consignments/:orderId/delivery', { params: { orderId: '1' }, body: { delivered: true } }],
    ['POST /orders/:orderId/refund', { params: { orderId: '1' } }],
    ['POST /orders/:orderId/redelivery', { params: { orderId: '1' } }],
  ])('%s answers 503', async (route, request) => {
    await expect(opened().call(route, request)).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  });
});
