# promises
