const { withoutFlags } = require('./worker-flags.cjs');

// The flags of jest's own workers must not reach the processes that a test starts.
const options = withoutFlags(process.env.NODE_OPTIONS);
if (options.length > 0) process.env.NODE_OPTIONS = options.join(' ');
else delete process.env.NODE_OPTIONS;
