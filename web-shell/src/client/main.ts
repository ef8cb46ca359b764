// A task of its own: the browser can paint and take input between reading this file and running it. And a stack of its own:
// what runs here makes errors and requests, for each of which developer tools take a stack trace, and V8 then reads every
// function on the stack once more. The file's outermost ones are the whole file.
setTimeout(() => void import(/* webpackMode: "eager" */ './start.ts'));
