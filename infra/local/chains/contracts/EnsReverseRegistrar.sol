// SPDX-License-Identifier: MIT
// Replica of ENS's L2ReverseRegistrar: name by address, without a resolver in between.
pragma solidity 0.8.37;

interface IOwned {
    function owner() external view returns (address);
}

contract EnsReverseRegistrar {
    mapping(address account => string) public nameForAddr;
    uint256 private coinType;

    event NameForAddrChanged(address indexed addr, string name);

    error Unauthorised();
    error SignatureExpired();
    error InvalidSignature();
    error CoinTypeNotFound();

    /// `coinType_` is the chain's ENSIP-11 coin type.
    function init(uint256 coinType_) external {
        require(coinType == 0);
        coinType = coinType_;
    }

    function setName(string calldata name) external {
        store(msg.sender, name);
    }

    /// For contracts: their owner names them.
    function setNameForAddr(address account, string calldata name) external {
        if (msg.sender != account && (account.code.length == 0 || IOwned(account).owner() != msg.sender)) revert Unauthorised();
        store(account, name);
    }

    /// Takes the signature of an externally owned account.
    function setNameForAddrWithSignature(
        address account,
        uint256 signatureExpiry,
        string calldata name,
        uint256[] calldata coinTypes,
        bytes calldata signature
    ) external {
        if (signatureExpiry < block.timestamp) revert SignatureExpired();
        requireCoinType(coinTypes);
        bytes32 message = keccak256(
            abi.encodePacked(address(this), this.setNameForAddrWithSignature.selector, name, account, signatureExpiry, coinTypes)
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", message));
        if (signature.length != 65) revert InvalidSignature();
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        if (signer == address(0) || signer != account) revert InvalidSignature();
        store(account, name);
    }

    function requireCoinType(uint256[] calldata coinTypes) private view {
        for (uint256 index = 0; index < coinTypes.length; index++) {
            if (coinTypes[index] == coinType) return;
        }
        revert CoinTypeNotFound();
    }

    function store(address account, string calldata name) private {
        nameForAddr[account] = name;
        emit NameForAddrChanged(account, name);
    }
}
