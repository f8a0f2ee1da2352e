const { TestEnvironment } = require('jest-environment-node');

/** The environment for Node.js of jest, with the function that load-once.cjs needs. */
module.exports = class Environment extends TestEnvironment {
  constructor(...parameters) {
    super(...parameters);
    this.global.requireOnce = require;
  }
};
