// Runs in a separate task, so the browser can paint and handle input between parsing this file and running it. It also
// runs on a separate stack: start-up creates errors and requests, and developer tools take a stack trace for each. V8
// then parses every function on the stack again, and the outermost functions of this file contain the whole file.
setTimeout(() => void import(/* webpackMode: "eager" */ './start.ts'));
