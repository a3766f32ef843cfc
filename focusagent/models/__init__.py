"""Models: limits, prices, tokens, our chat client, the scripted backbone. Imports no benchmark."""
