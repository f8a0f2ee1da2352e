/** Flags that jest's worker processes need to load ES modules; see jest.config.cjs. */
const WORKER_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** The words of a NODE_OPTIONS value, without those flags. */
function withoutFlags(options = '') {
  return options.split(' ').filter((word) => word !== '' && !WORKER_FLAGS.includes(word));
}

module.exports = { WORKER_FLAGS, withoutFlags };
