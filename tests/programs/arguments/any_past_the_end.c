// selvedge: memory=unsafe
// flags: --property memory
// There is nothing behind the null, however many arguments there are.
int main(int argc, char **argv) {
    return argv[argc + 1] != 0; // MEMORY! outside
}
