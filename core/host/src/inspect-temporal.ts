/** For commands that look at Temporal from outside, and must not load all of a host to do so. */
export { inspectTemporal, type ForgottenQueue } from './temporal/inspect-temporal';
