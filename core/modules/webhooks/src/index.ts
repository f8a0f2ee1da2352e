export { webhooks } from './module';
