export { jobs } from './jobs/module';
export { webhooks } from './module';
