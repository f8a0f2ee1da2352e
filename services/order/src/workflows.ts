export { findSettlement } from './workflows/find-settlement';
export { redeliverOrder, refundOrder } from './workflows/operations';
export { placeOrder } from './workflows/place-order';
