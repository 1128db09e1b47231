#!/usr/bin/env node
// The program. Old syntax on purpose: it must say something useful under any Node. Under an old one it starts itself
// again with the package's own Node 24, if that is installed.
'use strict';
var path = require('path');
var fs = require('fs');
var root = path.dirname(__dirname);
var entry = path.join(root, 'dist', 'cli.mjs');

function fail(lines) {
  process.stderr.write(lines.join('\n') + '\n');
  process.exit(5);
}

// The kept answer of a command that only looks, printed by one small file; whatever keeps it from that, the program answers.
function hasGlanced() {
  try {
    var code = require(path.join(root, 'dist', 'glance.cjs')).glance(process.argv.slice(2), process.env);
    if (code === null) return false;
    process.exitCode = code;
    return true;
  } catch {
    return false;
  }
}

function start() {
  if (!fs.existsSync(entry)) fail(['error: harness is not built yet.', '  → npm ci   (in ' + root + ')']);
  if (hasGlanced()) return;
  var module_ = require('module');
  if (module_.enableCompileCache) module_.enableCompileCache();
  import(require('url').pathToFileURL(entry).href).catch(function (error) {
    process.stderr.write(String((error && error.stack) || error) + '\n');
    process.exit(1);
  });
}

if (Number(process.versions.node.split('.')[0]) >= 24) {
  start();
} else {
  var own = path.join(root, 'node_modules', 'node', 'bin', 'node');
  if (!fs.existsSync(own))
    fail([
      'error: harness needs Node 24 or newer; this is ' + process.version + '.',
      '  → install Node 24 (https://nodejs.org), then call harness again; nothing was changed.',
    ]);
  var child = require('child_process').spawn(own, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      // A terminal sends Ctrl-C to both; a plain kill reaches only this process and is handed on.
      if (signal !== 'SIGINT') child.kill(signal);
    });
  });
  child.on('exit', function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code === null ? 1 : code);
  });
}
