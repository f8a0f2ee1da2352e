const { join } = require('node:path');
const { withoutFlags } = require('./worker-flags.cjs');

// The flags of jest's own workers must not reach the processes that a test starts. Those load code-cache.cjs first.
const codeCache = `--require ${JSON.stringify(join(__dirname, 'code-cache.cjs'))}`;
const options = withoutFlags(process.env.NODE_OPTIONS).join(' ');
process.env.NODE_OPTIONS = options.includes(codeCache) ? options : `${options} ${codeCache}`.trim();
