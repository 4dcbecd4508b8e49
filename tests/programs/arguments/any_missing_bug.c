// selvedge: memory=unsafe
// flags: --property memory
// Not everybody gives an argument.
int main(int argc, char **argv) {
    return argv[1][0]; // MEMORY! null
}
