// selvedge: memory=unsafe
// flags: --property memory
// The last but one is there only if there are two.
int main(int argc, char **argv) {
    return argv[argc - 2] != 0; // MEMORY! outside
}
