// A program that only starts and ends.
console.log(0);
