export { placeOrder } from './place-order-workflow';
export { redeliverOrder, refundOrder } from './operation-workflows';
